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
  // The pool of this process; a child process that is forked gets one of its own.
  static Pool& shared();

  explicit Pool(int size) : size_(size) {}
  ~Pool() { stop(); }

  int size() const { return size_; }
  void resize(int size) {
    const std::lock_guard call(calls_);
    stop();
    size_ = size;
  }

  // f(0) to f(count - 1), in any order; the first exception is thrown again. On all threads where
  // that is worth it: `work` is about how long it takes in nanoseconds.
  void each(int count, double work, const std::function<void(int)>& f) {
    constexpr double kWorthWaking = 2e5;
    std::unique_lock call(calls_, std::defer_lock);
    if (count < 2 || work < kWorthWaking || size_ < 2 || !call.try_lock()) {
      for (int k = 0; k < count; ++k) f(k);
      return;
    }
    start();
    {
      const std::lock_guard lock(mutex_);
      task_ = &f;
      count_ = count;
      next_ = 0;
      error_ = nullptr;
      ++round_;
    }
    wake_.notify_all();
    this->work();
    std::unique_lock lock(mutex_);
    task_ = nullptr;  // who wakes now is too late
    done_.wait(lock, [this] { return active_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void start() {
    while (int(threads_.size()) + 1 < size_)
      threads_.emplace_back([this, seen = round_] { serve(seen); });
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
    stopping_ = false;
  }
  void serve(long seen) {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return stopping_ || (task_ && round_ != seen); });
      if (stopping_) return;
      seen = round_;
      ++active_;
      lock.unlock();
      work();
      lock.lock();
      if (--active_ == 0) done_.notify_one();
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

  std::atomic<int> size_;
  std::vector<std::thread> threads_;
  std::mutex calls_, mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int)>* task_ = nullptr;
  std::atomic<int> next_ = 0;
  int count_ = 0, active_ = 0;
  long round_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
};

}  // namespace spanforest
