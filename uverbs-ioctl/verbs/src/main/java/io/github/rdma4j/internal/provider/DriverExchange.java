// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * What a driver takes and gives beside a command of uverbs ({@code UVERBS_ATTR_UHW_IN} and {@code UVERBS_ATTR_UHW_OUT}, or
 * what is appended to the structs of the write set). By default, nothing.
 */
public interface DriverExchange {
    /** Nothing beside the command. */
    DriverExchange NONE = new DriverExchange() {};

    /** Bytes of the driver's request. */
    default int requestBytes() {
        return 0;
    }

    /**
     * Fills the driver's request, which is all zeros and {@link #requestBytes} long. Called before the command is sent, and
     * once more when the command takes another form for an older kernel: each call must write the same.
     */
    default void writeRequest(DriverRequest request) {}

    /** Bytes that the driver adds to the reply. */
    default int replyBytes() {
        return 0;
    }

    /** An exchange of {@code requestBytes} zeros and {@code replyBytes} bytes that nobody reads. */
    static DriverExchange of(int requestBytes, int replyBytes) {
        return new DriverExchange() {
            @Override
            public int requestBytes() {
                return requestBytes;
            }

            @Override
            public int replyBytes() {
                return replyBytes;
            }
        };
    }
}
