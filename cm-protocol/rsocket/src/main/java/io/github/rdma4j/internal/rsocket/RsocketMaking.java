// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import org.jspecify.annotations.Nullable;

/** Makes a stream of rsocket's wire. */
public final class RsocketMaking implements StreamMaking<Stream> {
    private final StreamSettings settings;
    private @Nullable StreamLink link;
    private @Nullable StreamEngine engine;
    private @Nullable Stream stream;

    /** Creates what makes one stream. */
    public RsocketMaking(StreamSettings settings) {
        this.settings = settings;
    }

    /** Returns true if the private data of a request is that of a rsocket. */
    public static boolean isOffered(byte[] privateData) {
        return ConnData.isValid(privateData);
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the stream is not prepared");
        }
        return part;
    }

    @Override
    public void open(CmId id) throws RdmaException {
        link = StreamLink.open(id, settings);
    }

    @Override
    public QueuePairOptions queuePair() {
        return present(link).queuePair();
    }

    @Override
    public Stream prepare(CmConnection connection) throws RdmaException {
        StreamLink opened = present(link);
        StreamEngine made = opened.prepare(connection.qp());
        engine = made;
        Stream prepared = new Stream(connection, opened, made, settings);
        stream = prepared;
        return prepared;
    }

    @Override
    public byte[] description() {
        return present(engine).description().encode();
    }

    @Override
    public void begin(byte[] told, boolean accepted) throws RdmaException {
        present(stream).begin(ConnData.decode(told), accepted);
    }

    @Override
    public void release() throws RdmaException {
        StreamLink opened = link;
        if (opened != null) {
            try {
                opened.close();
            } finally {
                opened.free();
            }
        }
    }
}
