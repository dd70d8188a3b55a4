// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import java.util.function.Consumer;

/**
 * The driver's own request and reply of a uverbs command ({@code UVERBS_ATTR_UHW_IN} and {@code UVERBS_ATTR_UHW_OUT},
 * or the bytes appended to the structs of the write set). By default, nothing.
 */
public interface DriverExchange {
    /** An exchange without a request and without a reply. */
    DriverExchange NONE = new DriverExchange() {};

    /** Bytes of the driver's request. */
    default int requestBytes() {
        return 0;
    }

    /**
     * Fills the driver's request, which is all zeros and {@link #requestBytes} long. Called before the command is sent,
     * and again if the command is sent in another form; each call must write the same bytes.
     */
    default void writeRequest(DriverRequest request) {}

    /** Size of the driver's part of the reply. */
    default int replyBytes() {
        return 0;
    }

    /** An exchange of {@code requestBytes} zeros and {@code replyBytes} bytes that are not read. */
    static DriverExchange of(int requestBytes, int replyBytes) {
        return of(requestBytes, replyBytes, request -> {});
    }

    /** An exchange of a request that {@code writer} fills, and of {@code replyBytes} bytes that are not read. */
    static DriverExchange of(int requestBytes, int replyBytes, Consumer<DriverRequest> writer) {
        return new DriverExchange() {
            @Override
            public int requestBytes() {
                return requestBytes;
            }

            @Override
            public void writeRequest(DriverRequest request) {
                writer.accept(request);
            }

            @Override
            public int replyBytes() {
                return replyBytes;
            }
        };
    }

    /**
     * The driver's request of a command, in native byte order. Offsets count from the first byte of the driver's
     * request. Valid only during the call of {@link DriverExchange#writeRequest}.
     */
    interface DriverRequest {
        /** Writes the low 8 bits of {@code value}. */
        void putByte(int offset, int value);

        /** Writes the low 16 bits of {@code value}. */
        void putShort(int offset, int value);

        /** Writes 32 bits. */
        void putInt(int offset, int value);

        /** Writes 64 bits. */
        void putLong(int offset, long value);

        /**
         * Writes the 64-bit address of the byte {@code at} of {@code memory}. Retire the memory only after the command
         * has failed or its object is destroyed.
         *
         * @param memory memory of {@link Device#allocate}
         */
        void putAddress(int offset, RingMemory memory, int at);
    }
}
