// SPDX-License-Identifier: Apache-2.0
/**
 * The requests and records of subnet administration (InfiniBand Architecture Specification volume 1, chapters 13.4 to
 * 13.6 and 15.2). Everything is big-endian. This package only encodes and decodes. The decoders do not trust the
 * sender: they throw {@link io.github.rdma4j.kernel.MalformedReplyException} for malformed bytes, and allocate no more
 * memory than the bytes justify.
 */
@NullMarked
package io.github.rdma4j.sm.mad;

import org.jspecify.annotations.NullMarked;
