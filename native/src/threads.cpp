#include "spanforest/threads.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define SPANFOREST_FORKS
#endif

namespace spanforest {
namespace {

Pool*& current() {
  static Pool* pool = new Pool(std::max(1, int(std::thread::hardware_concurrency())));
  return pool;
}

}  // namespace

Pool& Pool::shared() {
#ifdef SPANFOREST_FORKS
  // threads do not survive a fork; what they left in the old pool is not touched again
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { current() = new Pool(current()->size()); });
  (void)registered;
#endif
  return *current();
}

}  // namespace spanforest
