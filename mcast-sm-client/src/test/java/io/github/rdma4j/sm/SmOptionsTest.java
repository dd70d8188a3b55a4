// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.umad.AgentOptions;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The options of the client and the parameters of groups: what is kept, and what is refused. */
class SmOptionsTest {
    private static final McMemberRecord.Template GROUP = McMemberRecord.newGroup(0xb1b, 0xffff)
            .sl(1)
            .trafficClass(2)
            .flowLabel(3)
            .hopLimit(4)
            .mtu(Selected.exactly(4))
            .rate(Selected.exactly(3))
            .packetLifeTime(Selected.exactly(18));

    @Test
    void clientOptionsAreKeptByACopyThatChangesOneOption() {
        SaOptions copy = SaOptions.builder().firstTimeout(Duration.ofMillis(7)).maxReplyBytes(300).build().toBuilder()
                .attempts(2)
                .build();
        assertThat(copy.firstTimeout()).contains(Duration.ofMillis(7));
        assertThat(copy.maxReplyBytes()).isEqualTo(300);
        assertThat(copy.attempts()).isEqualTo(2);
        assertThat(SaOptions.DEFAULT.firstTimeout()).isEmpty();
    }

    @Test
    void clientOptionsRefuseWithTheAcceptedRange() {
        SaOptions.Builder options = SaOptions.builder();
        assertThatThrownBy(() -> options.firstTimeout(Duration.ofNanos(999_999)))
                .hasMessageContaining("it must be 1 ms or more");
        assertThatThrownBy(() -> options.attempts(17)).hasMessage("attempts is 17; it must be from 1 to 16");
        assertThatThrownBy(() -> options.maxReplyBytes(255)).hasMessage("maxReplyBytes is 255; it must be 256 or more");
    }

    @Test
    void groupParametersAreKeptByACopyThatChangesOneParameter() {
        McMemberRecord.Template copy = GROUP.copy().qkey(0xc1c);
        assertThat(copy)
                .asString()
                .isEqualTo(GROUP.toString().replace("qkey=" + 0xb1b, "qkey=" + 0xc1c))
                .contains("qkey=" + 0xc1c, "packetLifeTime=" + Selected.exactly(18));
        assertThat(GROUP.mask() & ~McMemberRecord.newGroup(0, 0xffff).mask()).isEqualTo(0x4f30);
    }

    @Test
    void groupParametersRefuseWithTheAcceptedRange() {
        McMemberRecord.Template group = GROUP.copy();
        assertThatThrownBy(() -> group.sl(16)).hasMessage("sl is 16; it must be from 0 to 15");
        assertThatThrownBy(() -> group.flowLabel(1 << 20)).hasMessageContaining("from 0 to 1048575");
        assertThatThrownBy(() -> group.hopLimit(256)).hasMessageContaining("from 0 to 255");
        assertThatThrownBy(() -> McMemberRecord.newGroup(0, 0x10000)).hasMessageContaining("from 0 to 65535");
    }

    @Test
    void joinRequestsKeepWhatTheyWereMadeWithOnBehalfOfAnotherPort() {
        Gid group = new Gid(0xff12L << 48, 1);
        Gid port = new Gid(0xfe80L << 48, 2);
        JoinRequest request = JoinRequest.creating(group, JoinState.FULL_MEMBER, GROUP);
        assertThat(request.portGid()).isEmpty();
        assertThat(request.onBehalfOf(port).portGid()).contains(port);
        assertThat(request.onBehalfOf(port).parameters()).hasToString("Optional[" + GROUP + "]");
    }

    @Test
    void everySetOfJoinStatesHasItsBits() {
        for (int bits = 0; bits < 16; bits++) {
            assertThat(JoinState.bits(JoinState.ofBits(bits))).isEqualTo(bits);
        }
        assertThat(JoinState.ofBits(9))
                .containsExactlyInAnyOrder(JoinState.FULL_MEMBER, JoinState.SEND_ONLY_FULL_MEMBER);
        assertThatThrownBy(() -> JoinState.ofBits(0x10)).hasMessage("a join state has four bits, not 0x10");
    }

    @Test
    void agentOptionsAddMethods() {
        AgentOptions options = AgentOptions.SUBNET_ADMINISTRATION.toBuilder()
                .method(1)
                .method(63)
                .build();
        assertThat(options.methods()).isEqualTo(1L << 63 | 2);
        assertThat(options.rmpp()).isEqualTo(AgentOptions.Rmpp.KERNEL);
        assertThatThrownBy(() -> options.toBuilder().method(64)).hasMessage("method is 64; it must be from 0 to 63");
    }
}
