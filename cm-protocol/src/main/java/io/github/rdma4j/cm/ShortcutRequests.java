// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;

/** The work requests that the shortcuts of {@link CmQueues} fill in again for each post. Used under its lock. */
final class ShortcutRequests {
    final SendWorkRequest send = new SendWorkRequest(1);

    /**
     * A separate request, because a request keeps its destination and a message without a destination must be rejected.
     */
    private final SendWorkRequest datagram = new SendWorkRequest(1);

    final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);

    SendWorkRequest datagram(long wrId, DatagramPeer.Handle to) {
        return datagram.clear()
                .wrId(wrId)
                .send()
                .to(to.ah(), to.qpn(), to.qkey())
                .signaled();
    }
}
