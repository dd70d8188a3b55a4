// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.netty.wire.MessageEngine;
import io.github.rdma4j.internal.rsocket.StreamMaking;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import org.jspecify.annotations.Nullable;

/** Makes a stream of the native wire. */
public final class MessageMaking implements StreamMaking<MessageStream> {
    private final StreamSettings settings;
    private @Nullable MessageLink link;
    private @Nullable MessageEngine engine;
    private @Nullable MessageStream stream;

    /** Creates what makes one stream. */
    public MessageMaking(StreamSettings settings) {
        this.settings = settings;
    }

    /** Returns true if the private data of a request is that of the native wire, of a version that is spoken here. */
    public static boolean isOffered(byte[] privateData) {
        try {
            Hello unused = Hello.decode(privateData);
            return true;
        } catch (RdmaException other) {
            return false;
        }
    }

    @Override
    public byte[] full() {
        return Hello.backlogIsFull();
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the stream is not prepared");
        }
        return part;
    }

    @Override
    public void open(CmId id) throws RdmaException {
        link = MessageLink.open(id, settings);
    }

    @Override
    public QueuePairOptions queuePair() {
        return present(link).queuePair();
    }

    @Override
    public MessageStream prepare(CmConnection connection) throws RdmaException {
        MessageLink opened = present(link);
        MessageEngine made = opened.prepare(connection.qp());
        engine = made;
        MessageStream prepared = new MessageStream(connection, opened, made, settings);
        stream = prepared;
        return prepared;
    }

    @Override
    public byte[] description() {
        return present(engine).description().encode();
    }

    @Override
    public void begin(byte[] told, boolean accepted) throws RdmaException {
        present(stream).begin(Hello.decode(told), accepted);
    }

    @Override
    public void release() throws RdmaException {
        MessageLink opened = link;
        if (opened != null) {
            try {
                opened.close();
            } finally {
                opened.free();
            }
        }
    }
}
