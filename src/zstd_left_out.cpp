// The parts of libzstd.a that gputop never calls, left out of the one file: 300 kB. The recorder names its search
// (store/recording_encoder.cpp), so the others are never reached. Frames from before zstd 1.0 are refused as if there
// were no memory for them. cmake/Dependencies.cmake tries whether this list fits the library.
#include <cstdlib>

extern "C" {
#define GPUTOP_REFUSED(name) \
  void* name() {             \
    return nullptr;          \
  }
#define GPUTOP_NEVER(name) \
  void name() {            \
    std::abort();          \
  }
GPUTOP_REFUSED(ZBUFFv05_createDCtx)
GPUTOP_REFUSED(ZBUFFv06_createDCtx)
GPUTOP_REFUSED(ZBUFFv07_createDCtx)
GPUTOP_REFUSED(ZSTDv05_createDCtx)
GPUTOP_REFUSED(ZSTDv06_createDCtx)
GPUTOP_REFUSED(ZSTDv07_createDCtx)
GPUTOP_NEVER(ZBUFFv05_decompressContinue)
GPUTOP_NEVER(ZBUFFv05_decompressInitDictionary)
GPUTOP_NEVER(ZBUFFv05_freeDCtx)
GPUTOP_NEVER(ZBUFFv06_decompressContinue)
GPUTOP_NEVER(ZBUFFv06_decompressInitDictionary)
GPUTOP_NEVER(ZBUFFv06_freeDCtx)
GPUTOP_NEVER(ZBUFFv07_decompressContinue)
GPUTOP_NEVER(ZBUFFv07_decompressInitDictionary)
GPUTOP_NEVER(ZBUFFv07_freeDCtx)
GPUTOP_NEVER(ZSTD_compressBlock_btlazy2)
GPUTOP_NEVER(ZSTD_compressBlock_btlazy2_dictMatchState)
GPUTOP_NEVER(ZSTD_compressBlock_btlazy2_extDict)
GPUTOP_NEVER(ZSTD_compressBlock_doubleFast)
GPUTOP_NEVER(ZSTD_compressBlock_doubleFast_dictMatchState)
GPUTOP_NEVER(ZSTD_compressBlock_doubleFast_extDict)
GPUTOP_NEVER(ZSTD_compressBlock_greedy)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_dedicatedDictSearch)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_dedicatedDictSearch_row)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_dictMatchState)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_dictMatchState_row)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_extDict)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_extDict_row)
GPUTOP_NEVER(ZSTD_compressBlock_greedy_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_dedicatedDictSearch)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_dedicatedDictSearch_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_dictMatchState)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_dictMatchState_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_extDict)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_extDict_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy2_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_dedicatedDictSearch)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_dedicatedDictSearch_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_dictMatchState)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_dictMatchState_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_extDict)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_extDict_row)
GPUTOP_NEVER(ZSTD_compressBlock_lazy_row)
GPUTOP_NEVER(ZSTD_dedicatedDictSearch_lazy_loadDictionary)
GPUTOP_NEVER(ZSTD_fillDoubleHashTable)
GPUTOP_NEVER(ZSTD_insertAndFindFirstIndex)
GPUTOP_NEVER(ZSTD_row_update)
GPUTOP_NEVER(ZSTDv05_decompress_usingDict)
GPUTOP_NEVER(ZSTDv05_findFrameSizeInfoLegacy)
GPUTOP_NEVER(ZSTDv05_freeDCtx)
GPUTOP_NEVER(ZSTDv05_getFrameParams)
GPUTOP_NEVER(ZSTDv06_decompress_usingDict)
GPUTOP_NEVER(ZSTDv06_findFrameSizeInfoLegacy)
GPUTOP_NEVER(ZSTDv06_freeDCtx)
GPUTOP_NEVER(ZSTDv06_getFrameParams)
GPUTOP_NEVER(ZSTDv07_decompress_usingDict)
GPUTOP_NEVER(ZSTDv07_findFrameSizeInfoLegacy)
GPUTOP_NEVER(ZSTDv07_freeDCtx)
GPUTOP_NEVER(ZSTDv07_getFrameParams)
}
