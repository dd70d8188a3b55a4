// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.IoEvent;
import io.netty.channel.IoOps;

/** What a channel submits to its handler, and hears from it: that something may have changed. */
enum Look implements IoOps, IoEvent {
    AGAIN
}
