// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.SendWorkRequest;
import org.junit.jupiter.api.Test;

/** Sleeping until a completion of soft-iWARP comes, which is armed by a store and not by a command. */
@RequiresSiw
class CompletionChannelSiwIT extends CompletionChannelScenarios {
    /** The kernel takes no receive for solicited, so that the others are told of, too. */
    @Override
    @Test
    void tellsOfSolicitedMessagesOnly() throws Exception {
        End client = ends().client();
        End server = ends().server();
        server.cq().requestNotification(true);
        server.receive(3, 8);
        client.qp()
                .postSend(new SendWorkRequest(1)
                        .send()
                        .add(client.region(), 0, 8)
                        .signaled()
                        .solicited());
        assertThat(server.channel().awaitEvent(Await.LIMIT)).containsSame(server.cq());
        server.success();
        server.cq().requestNotification(true);
        message();
        assertThat(server.channel().awaitEvent(Await.LIMIT)).containsSame(server.cq());
    }
}
