// A pool of threads of our own: OpenMP would bring a second run-time library beside torch's.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace spanforest {

class Pool {
 public:
  static Pool& shared() {
    static Pool pool;
    return pool;
  }
  ~Pool() { resize(1); }

  int size() {
    const std::lock_guard lock(calls_);
    return int(threads_.size()) + 1;
  }
  void resize(int size) {
    const std::lock_guard call(calls_);
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
    stopping_ = false;
    for (int k = 1; k < size; ++k) threads_.emplace_back([this, seen = round_] { serve(seen); });
  }

  // f(0) to f(count - 1), in any order, on all threads; the first exception is thrown again.
  void each(int count, const std::function<void(int)>& f) {
    const std::lock_guard call(calls_);
    if (threads_.empty() || count < 2) {
      for (int k = 0; k < count; ++k) f(k);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      task_ = &f;
      count_ = count;
      next_ = 0;
      busy_ = int(threads_.size());
      error_ = nullptr;
      ++round_;
    }
    wake_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    task_ = nullptr;
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void serve(long seen) {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stopping_ || round_ != seen; });
        if (stopping_) return;
        seen = round_;
      }
      work();
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }
  void work() {
    for (int k; (k = next_++) < count_;) {
      try {
        (*task_)(k);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        next_ = count_;
      }
    }
  }

  std::vector<std::thread> threads_;
  std::mutex calls_, mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int)>* task_ = nullptr;
  std::atomic<int> next_ = 0;
  int count_ = 0, busy_ = 0;
  long round_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
};

}  // namespace spanforest
