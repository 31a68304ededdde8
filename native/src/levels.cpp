// Which kernels run. On x86-64 there are three, elsewhere one.
#include <stdexcept>

#include "spanforest/kernels.hpp"

namespace spanforest {

#ifdef SPANFOREST_X86
namespace v2 {
extern const Kernels kKernels;
}
namespace v3 {
extern const Kernels kKernels;
}
namespace v4 {
extern const Kernels kKernels;
}
#else
namespace any {
extern const Kernels kKernels;
}
#endif

namespace {

struct Level {
  std::string name;
  const Kernels* kernels;
};

std::vector<Level> available() {
#ifdef SPANFOREST_X86
  __builtin_cpu_init();
  std::vector<Level> result{{"x86-64-v2", &v2::kKernels}};
  if (__builtin_cpu_supports("x86-64-v3")) result.push_back({"x86-64-v3", &v3::kKernels});
  if (__builtin_cpu_supports("x86-64-v4")) result.push_back({"x86-64-v4", &v4::kKernels});
  return result;
#else
  return {{"any", &any::kKernels}};
#endif
}

Level& used() {
  static Level level = available().back();
  return level;
}

}  // namespace

const Kernels& kernels() { return *used().kernels; }

std::vector<std::string> levels() {
  std::vector<std::string> names;
  for (const Level& one : available()) names.push_back(one.name);
  return names;
}
std::string level() { return used().name; }
void use_level(const std::string& name) {
  for (const Level& one : available())
    if (one.name == name) {
      used() = one;
      return;
    }
  throw std::invalid_argument("this machine has no level " + name);
}

}  // namespace spanforest
