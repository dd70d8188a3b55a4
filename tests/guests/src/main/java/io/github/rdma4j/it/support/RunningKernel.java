// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The release of the kernel that runs the tests. */
public final class RunningKernel {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

    private RunningKernel() {}

    public static boolean isAtLeast(int major, int minor) {
        Matcher release = RELEASE.matcher(System.getProperty("os.version"));
        if (!release.matches()) {
            throw new AssertionError("not a release of Linux: " + release);
        }
        int running = Integer.parseInt(release.group(1));
        return running > major || (running == major && Integer.parseInt(release.group(2)) >= minor);
    }
}
