// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated fabric is to look like: two switches with channel adapters, the first of which hosts the subnet
 * manager, which starts with this configuration.
 */
final class FabricPlan {
    private static final long CA_GUIDS = 0x0002_c903_00a0_0000L;

    /** A channel adapter of two ports takes three: itself, then its ports. */
    private static final int GUIDS_PER_CA = 3;

    private static final int SWITCH_PORTS = 24;
    private static final int UPLINK = SWITCH_PORTS;
    private static final String SPEED = "4xQDR";

    /** The speed of the link of each channel adapter, as ibnetdiscover(8) writes it, in the order of their GUIDs. */
    private final Map<String, String> adapters = new LinkedHashMap<>();

    private @Nullable String partitions;
    private @Nullable String configuration;

    private FabricPlan() {}

    /** Channel adapters HcaA, HcaB ... of 40 Gb/s, half of them on each switch. */
    static FabricPlan ofAdapters(int count) {
        FabricPlan plan = new FabricPlan();
        for (int i = 0; i < count; i++) {
            plan.adapters.put("Hca" + (char) ('A' + i), SPEED);
        }
        return plan;
    }

    /** Sets the speed of one link, for example {@code 4xSDR}. */
    FabricPlan speed(String adapter, String speed) {
        adapters.replace(adapter, speed);
        return this;
    }

    /** The subnet manager's partitions.conf(5). */
    FabricPlan partitions(String text) {
        partitions = text;
        return this;
    }

    /** Lines for opensm.conf. */
    FabricPlan configuration(String text) {
        configuration = text;
        return this;
    }

    @Nullable
    String partitions() {
        return partitions;
    }

    @Nullable
    String configuration() {
        return configuration;
    }

    String managerHost() {
        return adapters.keySet().iterator().next();
    }

    /** The GUID of the first port of an adapter. */
    static long portGuid(String adapter) {
        return CA_GUIDS + (long) (adapter.charAt(adapter.length() - 1) - 'A') * GUIDS_PER_CA + 1;
    }

    /** The net file of ibsim(8). The comments are not for the reader: they carry the speed. */
    String netFile() {
        StringBuilder text = new StringBuilder(String.format("caguid=0x%016x%n", CA_GUIDS))
                .append("switchguid=0x0002c90200b00000\n");
        appendSwitch(text, 0, "SwA", "SwB");
        appendSwitch(text, 1, "SwB", "SwA");
        int index = 0;
        for (Map.Entry<String, String> adapter : adapters.entrySet()) {
            text.append(String.format(
                    "%nHca 2 \"%s\"%n[1] \"%s\"[%d] # lid 0 lmc 0 \"%2$s\" lid 0 %s%n",
                    adapter.getKey(), index % 2 == 0 ? "SwA" : "SwB", index / 2 + 1, adapter.getValue()));
            index++;
        }
        return text.toString();
    }

    private void appendSwitch(StringBuilder text, int which, String name, String other) {
        text.append(String.format("%nSwitch %d \"%s\"%n", SWITCH_PORTS, name));
        int index = 0;
        for (Map.Entry<String, String> adapter : adapters.entrySet()) {
            if (index % 2 == which) {
                text.append(String.format(
                        "[%d] \"%s\"[1] # \"%2$s\" lid 0 %s%n", index / 2 + 1, adapter.getKey(), adapter.getValue()));
            }
            index++;
        }
        text.append(String.format("[%d] \"%s\"[%1$d] # \"%2$s\" lid 0 %s%n", UPLINK, other, SPEED));
    }

    /** What makes programs that use libibumad speak to ibsim. */
    static Path simulatorLibrary() {
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
        return Path.of("/usr/lib", architecture + "-linux-gnu", "umad2sim", "libumad2sim.so");
    }
}
