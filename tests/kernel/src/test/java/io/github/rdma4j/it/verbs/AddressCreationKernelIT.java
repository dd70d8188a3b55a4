// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that soft-RoCE does not have: the refusal names the number. */
@RequiresKernel
class AddressCreationKernelIT {
    private static final int PORT = 1;

    private DeviceContext context;
    private ProtectionDomain pd;
    private List<GidEntry> gids;

    @BeforeEach
    void open() throws Exception {
        context = DeviceContext.open(Rxe.DEVICE);
        pd = context.allocatePd();
        gids = context.queryGids();
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private void assertRefused(int sgidIndex, int port, String message) {
        assertThatThrownBy(() -> pd.createAh(AhAttr.to(gids.get(0).gid(), sgidIndex, port)))
                .isInstanceOf(ErrnoException.class)
                .hasMessageEndingWith(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 255})
    void namesAPortThatDoesNotExist(int port) {
        assertRefused(gids.get(0).gidIndex(), port, "portNum is " + port + ": the device has 1; accepted 1 to 1");
    }

    /** The table has more entries than an address can name, but few GIDs. */
    @Test
    void namesAnIndexWithoutAGid() {
        List<Integer> used = gids.stream().map(GidEntry::gidIndex).toList();
        assertRefused(
                200,
                PORT,
                "sgidIndex is 200: the GID table of port 1 has no GID there; accepted are the indexes " + used);
    }
}
