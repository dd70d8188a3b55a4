// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Memory that a device may access, and the object that keeps the memory from being freed during that time. */
public final class RegionMemory {
    /** The owner that frees the memory, if that is not the garbage collector. */
    public interface Owner {
        /**
         * Checks that the memory is valid. Allocates nothing.
         *
         * @throws IllegalStateException if the memory was freed or moved too early
         */
        void ensureInPlace();

        /** Called when the device can no longer access the memory. */
        void release();
    }

    /** While this is reachable, the garbage collector does not free the memory. */
    @SuppressWarnings("UnusedVariable")
    private final Object reachable;

    private final long address;
    private final long length;
    private final boolean readOnly;
    private final @Nullable Owner owner;

    private RegionMemory(Object reachable, long address, long length, boolean readOnly, @Nullable Owner owner) {
        if (length == 0) {
            throw new IllegalArgumentException("a memory region of 0 bytes; the minimum is 1");
        }
        this.reachable = reachable;
        this.address = address;
        this.length = length;
        this.readOnly = readOnly;
        this.owner = owner;
    }

    /** Returns the bytes from position to limit, which the garbage collector frees. */
    public static RegionMemory of(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.slice();
        return new RegionMemory(bytes, NativeMemory.address(bytes), bytes.remaining(), bytes.isReadOnly(), null);
    }

    /** Returns all of {@code bytes}, which {@code owner} frees. */
    public static RegionMemory of(ByteBuffer bytes, Owner owner) {
        return new RegionMemory(bytes, NativeMemory.address(bytes), bytes.capacity(), bytes.isReadOnly(), owner);
    }

    /** Returns {@code length} bytes at {@code address}, outside any buffer, which {@code owner} frees. */
    public static RegionMemory of(Object reachable, long address, long length, boolean readOnly, Owner owner) {
        return new RegionMemory(reachable, address, length, readOnly, owner);
    }

    /** Returns all bytes of {@code memory}, which the garbage collector frees. */
    public static RegionMemory of(MappedMemory memory) {
        return new RegionMemory(memory, NativeMemory.address(memory.slice(0, 1)), memory.length(), false, null);
    }

    /** Rejects access rights that contradict each other or the memory. */
    public void check(Set<Access> access) {
        Checks.access(access, readOnly);
    }

    /** Returns the address of the first byte. */
    public long address() {
        return address;
    }

    /** Returns the length in bytes. */
    public long length() {
        return length;
    }

    /** Returns the owner; null if the memory stays in place while it is reachable. */
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
