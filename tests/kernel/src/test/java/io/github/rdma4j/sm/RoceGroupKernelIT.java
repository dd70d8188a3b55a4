// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.sa.SaCommand;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Multicast on RoCE, where the kernel's connection manager is the authority and there is no subnet manager. */
@RequiresKernel
class RoceGroupKernelIT {
    @ParameterizedTest
    @ValueSource(strings = {"224.0.0.1", "239.77.4.1", "239.255.255.255"})
    void theKernelMapsGroupsAsWeDo(String group) throws Exception {
        InetAddress address = InetAddress.getByName(group);
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            GroupMembership membership = id.multicast().join(new InetSocketAddress(address, 0));
            assertThat(Events.expect(channel, CmEventType.MULTICAST_JOIN).membership())
                    .containsSame(membership);

            Gid mgid = membership.peer().orElseThrow().ahAttr().dgid();

            assertThat(MulticastGid.roceV2(address).gid()).isEqualTo(mgid);
            assertThat(new MulticastGid(mgid).ipv4Group()).contains(address);
            membership.close();
        }
    }

    @Test
    void theSaCommandSaysWhyItCannotWork() {
        StringWriter complaint = new StringWriter();
        int status = new CommandLine(new SaCommand())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    complaint.append(e.getMessage());
                    return 1;
                })
                .setErr(new PrintWriter(complaint))
                .execute("groups");
        assertThat(status).isEqualTo(1);
        assertThat(complaint).asString().contains("rxe0").contains("there is no subnet manager on RoCE");
    }
}
