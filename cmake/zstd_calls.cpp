// What gputop calls of zstd, for the check in Dependencies.cmake.
#include <zstd.h>

int main() {
  ZSTD_inBuffer in{};
  ZSTD_outBuffer out{};
  return static_cast<int>(ZSTD_compressStream2(ZSTD_createCCtx(), &out, &in, ZSTD_e_end) +
                          ZSTD_decompressStream(ZSTD_createDCtx(), &out, &in) +
                          ZSTD_decompress(nullptr, 0, nullptr, 0));
}
