// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_ALLOC_MW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryWindowTest {
    private static final Set<Access> READ = EnumSet.of(Access.REMOTE_READ);

    private final ModelKernel kernel = new ModelKernel();
    private final KeyRing ring = new KeyRing();
    private DeviceContext context;
    private ProtectionDomain pd;
    private MemoryRegion region;
    private SendQueue queue;

    /** Remembers the keys of binds, and has no sends. */
    private static final class KeyRing extends CountedSendRing {
        private final List<Integer> keys = new ArrayList<>();

        KeyRing() {
            super(new Capacities(8, 1, 0));
        }

        @Override
        public void put(SendView request) {
            if (request.opcode() != 8) {
                throw new IllegalArgumentException("no operation but binds");
            }
            keys.add(request.binding().windowKey());
            keys.add(request.binding().newKey());
            count(keys.size());
        }

        @Override
        public void discard() {
            keys.clear();
            count(0);
        }

        @Override
        public int publish() {
            return 0;
        }
    }

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
        QueuePair qp =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(2)).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        region = pd.registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.MW_BIND));
        queue = new SendQueue(qp, ring, new SendLimits(qp.sender(pd), new QpCap(4, 4, 1, 1, 0), 1000), 8, null);
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }

    private SendWorkRequest bind(MemoryWindow window) {
        return new SendWorkRequest(0).bind(window, region, 8, 16, READ);
    }

    @Test
    void hasANewKeyForEachBindThatIsPosted() throws Exception {
        MemoryWindow window = pd.allocateMw(MemoryWindow.Type.TYPE_1);
        SendWorkRequest bind = bind(window);
        assertThat(window.rkey()).isEqualTo(1);
        assertThat(queue.post(new SendWorkRequest[] {bind, bind}, 2)).isEqualTo(2);
        assertThat(ring.keys).containsExactly(1, 2, 2, 3);
        assertThat(window.rkey()).isEqualTo(3);
    }

    @Test
    void changesTheLowestEightBitsAlone() throws Exception {
        MemoryWindow window = pd.allocateMw(MemoryWindow.Type.TYPE_1);
        for (int i = 0; i < 255; i++) {
            window.bindPut();
        }
        assertThat(window.rkey()).isZero();
    }

    @Test
    void keepsItsKeyWhenAPostFails() throws Exception {
        MemoryWindow window = pd.allocateMw(MemoryWindow.Type.TYPE_2);
        SendWorkRequest[] requests = {bind(window), bind(window), new SendWorkRequest(0).send()};
        assertThatThrownBy(() -> queue.post(requests, 3)).hasMessage("no operation but binds");
        assertThat(window.rkey()).isEqualTo(1);
    }

    @Test
    void saysWhatToDoWithoutWindows() throws Exception {
        kernel.refuse(IB_USER_VERBS_CMD_ALLOC_MW, Errno.EOPNOTSUPP);
        assertThatThrownBy(() -> pd.allocateMw(MemoryWindow.Type.TYPE_2))
                .hasMessageContaining("EOPNOTSUPP")
                .hasMessageContaining("does not support memory windows");
    }

    @Test
    void bindsNothingThatIsClosed() throws Exception {
        MemoryWindow window = pd.allocateMw(MemoryWindow.Type.TYPE_2);
        SendWorkRequest bind = bind(window);
        region.close();
        assertThatThrownBy(() -> queue.tryPost(bind, null)).hasMessageContaining("is closed");
        window.close();
        assertThatThrownBy(() -> queue.tryPost(bind, null)).hasMessageContaining("is closed");
    }
}
