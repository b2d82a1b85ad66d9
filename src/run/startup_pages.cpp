#include "gputop/run/startup_pages.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace gputop::run {
namespace {

// Whether the loader wrote into what is read-only now: such pages differ from the file.
bool has_relocated_code(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto address = object.dlpi_addr + object.dlpi_phdr[i].p_vaddr;
    for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(address);  // NOLINT(performance-no-int-to-ptr)
         entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
        return true;
    }
  }
  return false;
}

// Pages that nobody may write are identical in the file; everything else (including relocated tables) must stay.
int give_back(dl_phdr_info* object, std::size_t, void* first) {
  const bool is_program = *static_cast<bool*>(first);
  *static_cast<bool*>(first) = false;
  const bool is_file = is_program || (object->dlpi_name != nullptr && object->dlpi_name[0] == '/');
  if (!is_file || has_relocated_code(*object)) return 0;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
    const auto begin = (object->dlpi_addr + part.p_vaddr) & ~(page - 1);
    const auto end = object->dlpi_addr + part.p_vaddr + part.p_filesz;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);  // NOLINT(performance-no-int-to-ptr)
  }
  return 0;
}

}  // namespace

void give_back_startup_pages() {
  bool first = true;
  dl_iterate_phdr(give_back, &first);
}

}  // namespace gputop::run
