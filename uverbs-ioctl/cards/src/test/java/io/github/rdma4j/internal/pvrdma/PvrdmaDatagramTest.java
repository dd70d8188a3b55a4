// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.HANDLE;
import static io.github.rdma4j.internal.pvrdma.PvrdmaTestRings.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PvrdmaDatagramTest {
    @Test
    void aCompletionTellsWhereTheDatagramCameFrom() throws Exception {
        PvrdmaTestRings rings = new PvrdmaTestRings();
        ByteBuffer memory = rings.completionMemory();
        memory.putLong(PAGE + Cqe.QP, HANDLE).putInt(PAGE + Cqe.OPCODE, 128);
        memory.putInt(PAGE + Cqe.SRC_QP, 0xff_fff6);
        memory.putShort(PAGE + Cqe.PKEY_INDEX, (short) 0xfff7);
        memory.putShort(PAGE + Cqe.SLID, (short) 0xeeee);
        memory.put(PAGE + Cqe.SL, (byte) 14).put(PAGE + Cqe.DLID_PATH_BITS, (byte) 0x7e);
        memory.put(PAGE + Cqe.PORT_NUM, (byte) 1).put(PAGE + Cqe.SMAC, (byte) 2);
        memory.putInt(8, 1);
        WorkCompletion[] one = WorkCompletion.array(1);
        assertThat(rings.completions().poll(one, Views.SINK)).isEqualTo(1);
        assertThat(one[0].sourceQp()).isEqualTo(0xff_fff6);
        assertThat(one[0].pkeyIndex()).isEqualTo(0xfff7);
        assertThat(one[0].slid()).isEqualTo(0xeeee);
        assertThat(one[0].sl()).isEqualTo(14);
        assertThat(one[0].dlidPathBits()).isEqualTo(0x7e);
    }
}
