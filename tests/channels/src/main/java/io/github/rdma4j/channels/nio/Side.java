// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Numbered;
import java.nio.channels.SocketChannel;

/** An end of a connection: what it writes and reads next. */
final class Side {
    final SocketChannel channel;
    final Numbered out;
    final Numbered in;
    long written;
    long read;

    Side(SocketChannel channel, Numbered out, Numbered in) {
        this.channel = channel;
        this.out = out;
        this.in = in;
    }
}
