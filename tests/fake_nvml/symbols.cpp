// Leaving a symbol out for real: dlsym must not find it, as in an older driver's library. The entry in this library's
// own dynamic symbol table is made undefined in memory, before the loader of the library can ask.
#include <elf.h>
#include <fnmatch.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

struct Own {
  const ElfW(Dyn) * dynamic = nullptr;
  ElfW(Addr) base = 0;
};

int find_own(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  const auto here = reinterpret_cast<ElfW(Addr)>(&find_own);
  const ElfW(Dyn)* dynamic = nullptr;
  bool mine = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const auto begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD) mine |= here >= begin && here < begin + header.p_memsz;
    if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
  }
  if (!mine) return 0;
  *static_cast<Own*>(data) = {dynamic, info->dlpi_addr};
  return 1;
}

void make_undefined(ElfW(Sym) & symbol) {
  const auto page = static_cast<ElfW(Addr)>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<ElfW(Addr)>(&symbol) & ~(page - 1);
  const auto last = reinterpret_cast<ElfW(Addr)>(&symbol + 1);
  if (::mprotect(reinterpret_cast<void*>(first), last - first, PROT_READ | PROT_WRITE) != 0) return;
  symbol.st_shndx = SHN_UNDEF;
  symbol.st_value = 0;
}

}  // namespace

void leave_out(const std::vector<std::string>& patterns) {
  Own own;
  if (patterns.empty() || ::dl_iterate_phdr(find_own, &own) == 0 || own.dynamic == nullptr) return;
  ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* hash = nullptr;  // nbucket, nchain = number of symbols, …
  for (const auto* entry = own.dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<ElfW(Sym)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_HASH) hash = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr);
  }
  if (symbols == nullptr || names == nullptr || hash == nullptr) return;
  for (std::uint32_t i = 1; i < hash[1]; ++i) {
    for (const auto& pattern : patterns) {
      if (symbols[i].st_shndx != SHN_UNDEF && ::fnmatch(pattern.c_str(), names + symbols[i].st_name, 0) == 0) {
        make_undefined(symbols[i]);
      }
    }
  }
}

}  // namespace fake_nvml
