// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rdma4j verify}. */
@Command(
        name = "verify",
        description = "Check that rdma4j and a device, or rdma4j and a C library, do the same.",
        mixinStandardHelpOptions = true,
        subcommands = {CardCommand.class, VerifyCommand.Responder.class},
        synopsisSubcommandLabel = "card|mlx5",
        footer = {
            "",
            "mlx5 compares the ConnectX provider with libmlx5; it runs from the source tree: ./rdma4j verify mlx5 --help"
        })
public final class VerifyCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public VerifyCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name one of the commands: card, mlx5");
    }

    /** The other end of the Java measurement, in a process of its own as the C tool has it. */
    @Command(name = "responder", hidden = true)
    static final class Responder implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Parameters(index = "0")
        private @Nullable String address;

        @Parameters(index = "1")
        private int port;

        @Override
        public Integer call() throws RdmaException, InterruptedException, UnknownHostException {
            PingPong.respond(
                    new InetSocketAddress(InetAddress.getByName(address), port),
                    spec.commandLine().getOut());
            return 0;
        }
    }
}
