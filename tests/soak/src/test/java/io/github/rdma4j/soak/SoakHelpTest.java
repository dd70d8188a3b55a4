// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.support.HelpPage;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SoakHelpTest {
    @Test
    void thePageIsWhatTheCommandPrints() {
        HelpPage.requireSame("soak", new CommandLine(new SoakMain()).getUsageMessage());
    }
}
