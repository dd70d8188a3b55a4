// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.ErrnoException;

/**
 * One call of a method of the uverbs ioctl that only the driver has, such as {@code UVERBS_METHOD} numbers from {@code 0x1000}
 * of uapi {@code rdma/mlx5_user_ioctl_cmds.h}. First the attributes, then {@link #send}, then the results. Used by one
 * thread, in try-with-resources:
 *
 * <pre>{@code
 * try (DriverMethod alloc = device.driverMethod(OBJECT_UAR, UAR_OBJ_ALLOC, "MLX5_IB_METHOD_UAR_OBJ_ALLOC")) {
 *     int handle = alloc.create(ALLOC_HANDLE);
 *     int offset = alloc.output(ALLOC_MMAP_OFFSET, Long.BYTES);
 *     alloc.constant(ALLOC_TYPE, NC).send();
 *     map(alloc.getLong(offset));
 * }
 * }</pre>
 */
public interface DriverMethod extends AutoCloseable {
    /** Adds a constant or a flag word ({@code UVERBS_ATTR_TYPE_ENUM_IN}, {@code CONST_IN}). */
    DriverMethod constant(int attribute, long value);

    /** Adds an input of 32 bits. */
    DriverMethod uint32(int attribute, int value);

    /** Adds an input of 64 bits. */
    DriverMethod uint64(int attribute, long value);

    /** Adds the handle of an object that exists. */
    DriverMethod handle(int attribute, int handle);

    /** Adds an object that the kernel makes; {@link #created} reads its handle at the position returned. */
    int create(int attribute);

    /** Adds room for an output of {@code bytes}; {@link #getInt} and {@link #getLong} read it at the position returned. */
    int output(int attribute, int bytes);

    /** Sends the call. */
    void send() throws ErrnoException;

    /** The handle of a new object. */
    int created(int position);

    /** 32 bits of an output. */
    int getInt(int position);

    /** 64 bits of an output. */
    long getLong(int position);

    @Override
    void close();
}
