// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.IoEvent;
import io.netty.channel.IoOps;

/** Event between a channel and its handler: readiness may have changed. */
enum Look implements IoOps, IoEvent {
    AGAIN
}
