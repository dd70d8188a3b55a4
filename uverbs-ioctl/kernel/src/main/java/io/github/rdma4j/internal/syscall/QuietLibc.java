// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;

/** Functions of libc called without keeping errno, which makes a call a seventh faster. */
public interface QuietLibc {
    @IgnoreError
    @ssize_t
    long write(int fd, long buffer, @size_t long count);
}
