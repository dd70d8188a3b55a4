// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.internal.rsocket.StreamMaking;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.kernel.RdmaException;

/**
 * Makes streams of the native wire.
 *
 * @param settings of the streams
 */
public record MessageMaking(StreamSettings settings) implements StreamMaking<MessageStream> {
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

    @Override
    public Opened<MessageStream> open(CmId id) throws RdmaException {
        MessageLink link = MessageLink.open(id, settings);
        return new Opened<>(
                link,
                made -> new MessageStream(StreamLife.Connection.of(made), link, link.prepare(made.qp()), settings));
    }
}
