// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MckeyCommandTest {
    private final MckeyCommand command = new MckeyCommand();

    private Mckey.Plan plan(String arguments) throws RdmaException {
        new CommandLine(command).parseArgs(arguments.split(" "));
        return command.plan();
    }

    @Test
    void doesWithoutOptionsWhatMckeyDoes() throws RdmaException {
        Mckey.Plan plan = plan("-m 239.1.2.3");
        assertThat(plan.groups).containsExactly(new InetSocketAddress("239.1.2.3", 0));
        assertThat(plan.portSpace).isEqualTo(PortSpace.UDP);
        assertThat(plan.local).isNull();
        assertThat(plan.sender).isFalse();
        assertThat(plan.mode).isEqualTo(GroupMembership.Mode.FULL_MEMBER);
        assertThat(plan.connections).isEqualTo(1);
        assertThat(plan.messages).isEqualTo(10);
        assertThat(plan.size).isEqualTo(100);
        assertThat(plan.settle).isEqualTo(3);
        assertThat(plan.patience).isEqualTo(10);
        assertThat(plan.firstPatience).isNull();
    }

    @Test
    void takesTheOptionsOfMckey() throws RdmaException {
        Mckey.Plan plan =
                plan("-m 239.1.2.3,239.1.2.4 -m ff0e::5 -s -b 10.77.0.1 -c 2 -C 3 -S 4 -p 0x0002 -o -d 0 -w 6 -W 7");
        assertThat(plan.groups)
                .containsExactly(
                        new InetSocketAddress("239.1.2.3", 0),
                        new InetSocketAddress("239.1.2.4", 0),
                        new InetSocketAddress("ff0e::5", 0));
        assertThat(plan.portSpace).isEqualTo(PortSpace.IPOIB);
        assertThat(plan.local).isEqualTo(new InetSocketAddress("10.77.0.1", 0));
        assertThat(plan.sender).isTrue();
        assertThat(plan.mode).isEqualTo(GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
        assertThat(plan.connections).isEqualTo(2);
        assertThat(plan.messages).isEqualTo(3);
        assertThat(plan.size).isEqualTo(4);
        assertThat(plan.settle).isZero();
        assertThat(plan.patience).isEqualTo(6);
        assertThat(plan.firstPatience).isEqualTo(7);
    }

    @Test
    void takesTheGidOfAGroup() throws RdmaException {
        Mckey.Plan plan = plan("-M ff12:401b:ffff::1 -b 10.77.0.1");
        assertThat(plan.groups).singleElement().isInstanceOfSatisfying(IbSocketAddress.class, group -> {
            assertThat(group.gid()).isEqualTo(Gid.parse("ff12:401b:ffff:0000:0000:0000:0000:0001"));
            assertThat(group.pkey()).isEqualTo(0xffff);
        });
    }

    @Test
    void sendsNoEmptyMessages() throws RdmaException {
        assertThat(plan("-m 239.1.2.3 -S 0").messages).isZero();
    }
}
