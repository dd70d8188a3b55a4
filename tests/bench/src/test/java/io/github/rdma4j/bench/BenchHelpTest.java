// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.support.HelpPage;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchHelpTest {
    @Test
    void thePagesAreWhatTheCommandsPrint() {
        CommandLine line = BenchMain.commandLine();
        HelpPage.requireSame("bench", line.getUsageMessage());
        HelpPage.requireSame(
                "bench-testbed", line.getSubcommands().get("testbed").getUsageMessage());
    }
}
