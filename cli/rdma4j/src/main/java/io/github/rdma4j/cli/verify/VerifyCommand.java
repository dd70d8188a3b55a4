// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rdma4j verify}. */
@Command(
        name = "verify",
        description = "Check that rdma4j and a device, or rdma4j and a C library, do the same.",
        mixinStandardHelpOptions = true,
        subcommands = CardCommand.class,
        synopsisSubcommandLabel = "card|provider",
        footer = {
            "",
            "provider compares a provider with its library in C; it runs from the source tree: ./rdma4j verify provider --help"
        })
public final class VerifyCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name one of the commands: card, provider");
    }
}
