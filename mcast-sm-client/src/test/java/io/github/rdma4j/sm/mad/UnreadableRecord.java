// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;

/** A record whose decoder fails: what a mistake in a decoder would do. */
public final class UnreadableRecord extends SaRequest.Template<Object> {
    private UnreadableRecord(RecordType<Object> type) {
        super(type);
    }

    /** A request whose successful answer makes the decoder throw an unchecked exception. */
    public static SaRequest<Object> throwing(Supplier<RuntimeException> failure) {
        return request(record -> {
            throw failure.get();
        });
    }

    /** A request whose successful answer makes the decoder throw an error. */
    public static SaRequest<Object> failing(Supplier<Error> failure) {
        return request(record -> {
            throw failure.get();
        });
    }

    private static SaRequest<Object> request(Function<ByteBuffer, Object> decoder) {
        return SaRequest.get(new UnreadableRecord(new RecordType<>(SaAttributes.SERVICE_RECORD, 8, decoder)));
    }
}
