// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** What a program forgets to close is closed when it is garbage: descriptors, queues, the device. */
abstract class CmAbandonedScenarios {
    private static void assertThatGarbageIsClosed(int openBefore) {
        assertThat(OpenResources.now().size()).as("open before it is garbage").isGreaterThan(openBefore);
        Await.until("what is garbage is closed", () -> {
            System.gc();
            return OpenResources.now().size() <= openBefore;
        });
    }

    private static void abandonAnId() throws RdmaException {
        CmId id = EventChannel.open().createId(PortSpace.TCP);
        id.bind(new InetSocketAddress(Rxe.IPV4, 0));
        id.createSrq(SharedReceiveQueueOptions.DEFAULT);
        id.createQp(QueuePairOptions.DEFAULT);
    }

    @Test
    void idsAndTheirQueues() throws Exception {
        int before = OpenResources.now().size();
        for (int i = 0; i < 5; i++) {
            abandonAnId();
        }
        assertThatGarbageIsClosed(before);
    }

    private static void abandonAListenerThatHasMoved() throws Exception {
        CmId id = EventChannel.open().createId(PortSpace.TCP);
        id.bind(new InetSocketAddress(Rxe.IPV4, 0));
        id.listen(1);
        id.migrate(EventChannel.open(), Await.LIMIT);
    }

    @Test
    void listenersAndTheChannelsThatTheyHaveLeft() throws Exception {
        int before = OpenResources.now().size();
        for (int i = 0; i < 5; i++) {
            abandonAListenerThatHasMoved();
        }
        assertThatGarbageIsClosed(before);
    }
}
