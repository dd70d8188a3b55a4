// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Memory that a device may access, and the owner that keeps it from being freed. */
public final class RegionMemory {
    /** Decides when the memory is freed, if the garbage collector does not. */
    public interface Owner {
        /**
         * Allocates nothing.
         *
         * @throws IllegalStateException if the memory has been freed or has moved, against the rules
         */
        void ensureInPlace();

        /** Called when the device can no longer access the memory. */
        void release();
    }

    /** Keeps the memory from the garbage collector. */
    @SuppressWarnings("UnusedVariable")
    private final Object reachable;

    private final long address;
    private final long length;
    private final boolean readOnly;
    private final @Nullable Owner owner;

    private RegionMemory(Object reachable, long address, long length, boolean readOnly, @Nullable Owner owner) {
        if (length == 0) {
            throw new IllegalArgumentException("a memory region of 0 bytes; a memory region has at least 1,"
                    + " and a work request without data needs no memory region");
        }
        this.reachable = reachable;
        this.address = address;
        this.length = length;
        this.readOnly = readOnly;
        this.owner = owner;
    }

    /** The bytes from position to limit, which the garbage collector frees. */
    public static RegionMemory of(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.slice();
        return new RegionMemory(bytes, NativeMemory.address(bytes), bytes.remaining(), bytes.isReadOnly(), null);
    }

    /** All of {@code bytes}, which {@code owner} frees. */
    public static RegionMemory of(ByteBuffer bytes, Owner owner) {
        return new RegionMemory(bytes, NativeMemory.address(bytes), bytes.capacity(), bytes.isReadOnly(), owner);
    }

    /** Memory without a buffer: {@code length} bytes at {@code address}, valid until {@code owner} frees them. */
    public static RegionMemory of(Object reachable, long address, long length, boolean readOnly, Owner owner) {
        return new RegionMemory(reachable, address, length, readOnly, owner);
    }

    public static RegionMemory of(MappedMemory memory) {
        return new RegionMemory(memory, NativeMemory.address(memory.slice(0, 1)), memory.length(), false, null);
    }

    /** Rejects access rights that contradict each other or do not fit the memory. */
    public void check(Set<Access> access) {
        Checks.access(access, readOnly);
    }

    public long address() {
        return address;
    }

    public long length() {
        return length;
    }

    /** Null if the memory stays in place while it is reachable. */
    @Nullable
    public Owner owner() {
        return owner;
    }

    /** Releases the memory, which the device can no longer access. */
    public void release() {
        if (owner != null) {
            owner.release();
        }
    }
}
