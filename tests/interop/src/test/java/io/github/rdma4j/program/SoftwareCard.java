// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cli.verify.CardCommand;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import picocli.CommandLine;

/** {@code verify card} on a ConnectX in software, as a program of its own. */
final class SoftwareCard {
    private SoftwareCard() {}

    public static void main(String[] arguments) {
        CardKernel kernel = new CardKernel(new Mlx5Settings());
        CardThread.start(kernel.card());
        System.exit(new CommandLine(new CardCommand(kernel::kernel)).execute(arguments));
    }
}
