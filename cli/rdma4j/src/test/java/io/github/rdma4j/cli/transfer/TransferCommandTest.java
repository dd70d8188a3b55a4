// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class TransferCommandTest {
    @Command
    private static final class Program extends TransferCommand {
        @Override
        public Integer call() {
            return 0;
        }
    }

    private static Transfer.Plan plan(String arguments) throws RdmaException {
        Program program = new Program();
        new CommandLine(program).parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        return program.plan(PortSpace.TCP, "7471");
    }

    private static @Nullable String text(@Nullable Object address) {
        return address instanceof InetSocketAddress inet
                ? Objects.requireNonNull(inet.getAddress()).getHostAddress() + " " + inet.getPort()
                : null;
    }

    @Test
    void servesOnEveryAddressUnlessToldOtherwise() throws RdmaException {
        Transfer.Plan plan = plan("");
        assertThat(plan.server).isNull();
        assertThat(text(plan.local)).isEqualTo("0.0.0.0 7471");
        assertThat(plan.connections).isEqualTo(1);
        assertThat(plan.messages).isEqualTo(10);
        assertThat(plan.size).isEqualTo(100);
        assertThat(plan.typeOfService).isNull();
        assertThat(text(plan("-b ::0").local)).isEqualTo("0:0:0:0:0:0:0:0 7471");
    }

    @Test
    void connectsToTheServerFromAnyPort() throws RdmaException {
        Transfer.Plan plan = plan("-s 10.77.0.1 -b 10.77.0.2 -c100 -C 5 -S 64 -t 0x20 -f ip");
        assertThat(text(plan.server)).isEqualTo("10.77.0.1 7471");
        assertThat(text(plan.local)).isEqualTo("10.77.0.2 0");
        assertThat(plan.connections).isEqualTo(100);
        assertThat(plan.messages).isEqualTo(5);
        assertThat(plan.size).isEqualTo(64);
        assertThat(plan.typeOfService).isEqualTo(32);
        assertThat(plan("-s fd77::1").local).isNull();
    }

    @Test
    void sendsNothingWhenMessagesAreEmpty() throws RdmaException {
        assertThat(plan("-S 0").messages).isZero();
    }
}
