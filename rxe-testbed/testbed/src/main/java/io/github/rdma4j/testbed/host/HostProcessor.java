// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** This machine's processor, as {@code /proc/cpuinfo} describes it. */
public record HostProcessor(List<String> lines) {
    public static HostProcessor read() {
        try {
            return new HostProcessor(Files.readAllLines(Path.of("/proc/cpuinfo")));
        } catch (IOException e) {
            return new HostProcessor(List.of()); // all is optional
        }
    }

    private Optional<String> first(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.replaceFirst(".*:\\s*", ""))
                .findFirst();
    }

    /** The model and what it can do. */
    public String description() {
        return first("model name").orElse("") + first("flags").orElse("");
    }

    /** The speed in MHz, with three decimals. */
    public Optional<String> megahertz() {
        return first("cpu MHz");
    }

    /**
     * The speed of the time stamp counter in kHz. Known for a virtual machine only: a real processor changes its speed,
     * and its counter does not.
     */
    public Optional<Long> timeStampKilohertz() {
        boolean virtual = first("flags").orElse("").contains(" hypervisor");
        return megahertz().filter(speed -> virtual).map(speed -> Math.round(1000 * Double.parseDouble(speed)));
    }
}
