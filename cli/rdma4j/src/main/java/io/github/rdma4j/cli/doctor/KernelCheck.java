// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kernel's version. */
final class KernelCheck implements Check {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final int OLDEST_MAJOR = 5;
    private static final int OLDEST_MINOR = 8;

    @Override
    public List<Finding> examine(Survey survey) {
        String release = survey.machine().release();
        Matcher version = VERSION.matcher(release);
        String text = "Linux " + release + (survey.machine().isContainer() ? ", in a container" : "");
        if (version.matches() && isOld(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)))) {
            return List.of(Finding.warn(
                    "kernel",
                    text + " is older than 5.8, the oldest that rdma4j expects to work with",
                    "boot a newer kernel, or use one in a guest: " + Modules.TESTBED));
        }
        return List.of(Finding.ok("kernel", text));
    }

    private static boolean isOld(int major, int minor) {
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    }
}
