// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Sends back what comes. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }
}
