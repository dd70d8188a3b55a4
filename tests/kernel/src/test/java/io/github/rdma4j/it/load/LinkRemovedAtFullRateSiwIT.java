// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Flood;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@link LinkRemovedAtFullRateKernelIT} for soft-iWARP, with RDMA writes: nothing holds up a sender there. The kernel ends the
 * connections, so that a flood ends by the close, or before when all that it has posted has completed.
 */
@RequiresSiw
class LinkRemovedAtFullRateSiwIT {
    private RemovableLink link;

    @BeforeEach
    void makeDevice() throws Exception {
        link = RemovableLink.make("siw");
    }

    @AfterEach
    void noDevice() throws Exception {
        boolean there = link.isThere();
        link.close();
        assertThat(there).isFalse();
    }

    private void survives(Flood.Way way) throws Exception {
        Loopback ends = Flood.setup().address(RemovableLink.ADDRESS).connect();
        link.deleteUnder(
                ends, List.of(writing(ends.client(), ends.server(), way), writing(ends.server(), ends.client(), way)));
    }

    private static Flood writing(Loopback.Side from, Loopback.Side to, Flood.Way way) throws Exception {
        MemoryRegion target = to.region();
        return Flood.writing(from, way.of(from), target.iova(), target.rkey());
    }

    @Test
    void pollersArePutOffByTheClose() throws Exception {
        survives(side -> side.cq()::poll);
    }

    @Test
    void waitersAreWokenByTheClose() throws Exception {
        survives(side -> into -> side.cq().await(into, Await.LIMIT));
    }
}
