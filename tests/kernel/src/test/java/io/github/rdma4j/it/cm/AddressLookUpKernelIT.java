// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host that does not answer: the kernel asks for its hardware address for seconds, and only the asker waits. */
@RequiresKernel
class AddressLookUpKernelIT {
    /** All of them nobody's: the kernel answers at once for a host that it has just asked for in vain. */
    private static final List<String> SILENT =
            List.of("10.77.0.101", "10.77.0.102", "10.77.0.103", "10.77.0.104", "10.77.0.105", "10.77.0.106");

    private Datagrams datagrams;

    @BeforeEach
    void open() throws RdmaException {
        datagrams = Datagrams.open();
    }

    @AfterEach
    void close() throws RdmaException {
        datagrams.close();
    }

    private Await.Running<AddressHandle> lookUp(String host) throws RdmaException {
        AhAttr silent = AhAttr.to(Datagrams.gid(host), datagrams.gidIndex(Rxe.IPV4), Datagrams.PORT);
        return Await.inThread(() -> datagrams.pd().createAh(silent));
    }

    private static boolean isInTheKernel(Await.Running<?> asker) {
        for (StackTraceElement frame : asker.thread().getStackTrace()) {
            if (frame.getMethodName().equals("ioctl")) {
                return true;
            }
        }
        return false;
    }

    private void makeAndCloseOthers() throws RdmaException {
        try (ProtectionDomain other = datagrams.context().allocatePd();
                MemoryRegion region =
                        datagrams.pd().registerMr(ByteBuffer.allocateDirect(64), EnumSet.noneOf(Access.class))) {
            assertThat(other.isClosed()).isEqualTo(region.isClosed());
        }
    }

    /** True when others were made and closed while the kernel was asking. */
    private boolean letsOthersGoOn(String host) throws Exception {
        makeAndCloseOthers();
        Await.Running<AddressHandle> asker = lookUp(host);
        Await.until("the kernel asks, or has asked", () -> isInTheKernel(asker) || asker.isDone());
        makeAndCloseOthers();
        boolean stillAsking = isInTheKernel(asker) && !asker.isDone();
        assertThat(asker.failure()).isInstanceOf(ErrnoException.class);
        return stillAsking;
    }

    @Test
    void letsOthersBeMadeAndClosedMeanwhile() throws Exception {
        boolean seen = false;
        for (int i = 0; i < SILENT.size() && !seen; i++) {
            seen = letsOthersGoOn(SILENT.get(i));
        }
        assertThat(seen).as("others were made and closed during a look-up").isTrue();
    }

    @Test
    void closesAContextWhenTheLookUpIsOver() throws Exception {
        Await.Running<AddressHandle> asker = lookUp("10.77.0.107");
        Await.until("the kernel asks, or has asked", () -> isInTheKernel(asker) || asker.isDone());
        datagrams.close();
        assertThat(asker.failure()).isInstanceOf(ErrnoException.class);
    }
}
