// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

/** Begins and ends a set of claims with each discovery. */
public final class ClaimScope implements LauncherDiscoveryListener {
    @Override
    public void launcherDiscoveryStarted(LauncherDiscoveryRequest request) {
        Claims.begin();
    }

    @Override
    public void launcherDiscoveryFinished(LauncherDiscoveryRequest request) {
        Claims.end();
    }
}
