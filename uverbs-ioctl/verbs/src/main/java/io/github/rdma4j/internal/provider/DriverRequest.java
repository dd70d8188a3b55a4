// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * The driver's request of a command while it is written, in native byte order. Offsets count from the first byte of the
 * driver's request. Valid only during the call of {@link DriverExchange#writeRequest}.
 */
public interface DriverRequest {
    /** Writes the low 8 bits of {@code value}. */
    void putByte(int offset, int value);

    /** Writes the low 16 bits of {@code value}. */
    void putShort(int offset, int value);

    /** Writes 32 bits. */
    void putInt(int offset, int value);

    /** Writes 64 bits. */
    void putLong(int offset, long value);

    /**
     * Writes where the byte {@code at} of {@code memory} lies, 64 bits. The command must be given up, or its object
     * destroyed, before the memory is retired.
     *
     * @param memory memory of {@link Device#allocate}
     */
    void putAddress(int offset, RingMemory memory, int at);
}
