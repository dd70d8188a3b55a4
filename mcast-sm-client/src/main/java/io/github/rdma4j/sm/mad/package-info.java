// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of subnet administration: MAD, RMPP and SA headers, and the records they carry (InfiniBand Architecture
 * Specification volume 1, chapters 13.4 to 13.6 and 15.2). Everything is big-endian. Encoding only, no call is made here.
 * Decoders take bytes of whom they do not trust: they throw {@link io.github.rdma4j.kernel.MalformedReplyException} for
 * bytes that cannot be, and reserve no more memory than there are bytes.
 */
@NullMarked
package io.github.rdma4j.sm.mad;

import org.jspecify.annotations.NullMarked;
