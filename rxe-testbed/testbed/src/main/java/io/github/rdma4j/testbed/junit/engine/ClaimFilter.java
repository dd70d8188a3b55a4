// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/** Removes from Jupiter's tree what runs in a guest. */
public final class ClaimFilter implements PostDiscoveryFilter {
    @Override
    public FilterResult apply(TestDescriptor test) {
        return Claims.contains(test.getUniqueId())
                ? FilterResult.excluded("runs in a guest, by the engine " + SoftRoceEngine.ID)
                : FilterResult.included("needs no guest");
    }
}
