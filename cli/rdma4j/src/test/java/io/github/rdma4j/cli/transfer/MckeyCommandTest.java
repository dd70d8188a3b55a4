// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MckeyCommandTest {
    private static final int USAGE = 2;

    private final StringWriter complaint = new StringWriter();
    private final MckeyCommand command = new MckeyCommand();
    private final CommandLine line = new CommandLine(command).setErr(new PrintWriter(complaint));

    private Mckey.Plan plan(String arguments) throws RdmaException {
        line.parseArgs(arguments.split(" "));
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

    @ParameterizedTest
    @CsvSource({
        "-s, name groups with -m",
        "-m 239.1.1.1 -M ff12::1 -b 10.77.0.1, name groups with -m",
        "-M ff12::1, -M needs -b",
        "-M fe80::1 -b 10.77.0.1, is not a group",
        "-M group -b 10.77.0.1, is not a GID",
        "-m 10.77.0.9, -m 10.77.0.9 is not a group: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8",
        "-m fe80::1, -m fe80::1 is not a group: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8",
        "-m 239.1.1.1 -S 4097, -S 4097 is not from 0 to 4096",
        "-m 239.1.1.1 -c 0, -c 0 is not from 1",
        "-m 239.1.1.1 -w 0, -w 0 is not from 1",
        "-m 239.1.1.1 -p 0x0106, it must be 0x0111"
    })
    void refusesWhatCannotBe(String arguments, String expected) throws RdmaException {
        assertThat(line.execute(arguments.split(" "))).isEqualTo(USAGE);
        assertThat(complaint).asString().contains(expected);
    }
}
