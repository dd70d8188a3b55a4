// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.verify.CheckRunner.Result;
import io.github.rdma4j.cli.verify.CheckRunner.Result.Outcome;
import io.github.rdma4j.cli.verify.ProgramChecks.Program;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The report in Markdown. The file is complete after each check, so that a run that crashes leaves its results. */
final class Report {
    private static final int MOST_DETAIL = 4000;

    private static final List<String> PROGRAMS =
            List.of("ibv_rc_pingpong", "rping", "ucmatose", "udaddy", "mckey", "ib_send_lat");

    private final Path file;
    private final Map<String, String> facts;
    private final Map<String, String> secrets;
    private final List<Result> results = new CopyOnWriteArrayList<>();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile String ending = "The run did not come to its end.";

    /** Creates a report about {@code facts}, in which replacements stand for the words of {@code secrets}. */
    Report(Path file, Map<String, String> facts, Map<String, String> secrets) {
        this.file = file;
        this.facts = facts;
        this.secrets = secrets;
    }

    void add(Result result) throws IOException {
        results.add(result);
        write();
    }

    /** Records how the run ended, and writes the file. */
    void end(String how) throws IOException {
        ending = how;
        write();
    }

    long count(Outcome outcome) {
        return results.stream().filter(result -> result.is(outcome)).count();
    }

    /** Returns the counts, for example {@code 40 passed, 1 FAILED, 3 left out}. */
    String counts() {
        return count(Outcome.PASSED) + " passed, " + count(Outcome.FAILED) + " FAILED, " + count(Outcome.LEFT_OUT)
                + " left out";
    }

    /** Also called when the program is interrupted. */
    private void write() throws IOException {
        writing.lock();
        try {
            Path part = Path.of(file + ".part");
            Files.writeString(part, hidden(text()));
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            writing.unlock();
        }
    }

    private String hidden(String text) {
        String hidden = text;
        for (Map.Entry<String, String> word : secrets.entrySet()) {
            hidden = hidden.replaceAll("(?<![\\w.-])" + Pattern.quote(word.getKey()) + "(?![\\w-])", word.getValue());
        }
        return hidden;
    }

    private String text() {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of("## rdma4j verify card: " + counts(), "", "| | |", "|---|---|"));
        facts.forEach((name, value) -> lines.add("| " + name + " | " + cell(value) + " |"));
        lines.addAll(List.of("", "| check | result | time | |", "|---|---|---:|---|"));
        for (Result result : results) {
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s |",
                    result.name(),
                    result.is(Outcome.FAILED) ? "**FAILED**" : result.outcome(),
                    time(result),
                    cell(result.summary())));
        }
        lines.add("");
        for (Result result : results) {
            if (result.is(Outcome.FAILED)) {
                lines.addAll(List.of("### " + result.name(), "", "```", shortened(result.detail()), "```", ""));
            }
        }
        lines.add(ending);
        return String.join("\n", lines) + "\n";
    }

    private static String time(Result result) {
        return result.is(Outcome.LEFT_OUT)
                ? ""
                : String.format(Locale.ROOT, "%,d ms", result.time().toMillis());
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    private static String shortened(String text) {
        return text.length() <= MOST_DETAIL ? text : text.substring(0, MOST_DETAIL) + "\n...";
    }

    /** The facts about machine and device in a report: names and values, in display order. */
    static Map<String, String> facts(Card card, String version) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("version", version);
        facts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("kernel", System.getProperty("os.version") + ", " + System.getProperty("os.arch"));
        facts.put("distribution", distribution());
        facts.put("processors", "" + Runtime.getRuntime().availableProcessors());
        facts.put(
                "device",
                card.device().name() + ", driver " + card.device().driverName() + " with ABI "
                        + card.device().driverAbi());
        DeviceAttr device = card.attributes();
        facts.put(
                "hardware",
                String.format(
                        "vendor 0x%04x, part %d, revision %d, board %s",
                        device.vendorId(), device.vendorPartId(), device.hwVer(), orNone(card.sysfs("board_id"))));
        facts.put("firmware", orNone(card.sysfs("fw_ver")));
        facts.put("port", port(card));
        facts.put(
                "GID",
                "index " + card.gid().gidIndex() + ", " + card.gid().gidType()
                        + (card.gid().gid().isV4Mapped() ? ", of an IPv4 address" : ""));
        facts.put("limits", limits(device));
        facts.put(
                "programs in C",
                PROGRAMS.stream()
                        .map(name -> Program.isInstalled(name) ? name : "no " + name)
                        .collect(Collectors.joining(", ")));
        return facts;
    }

    private static String port(Card card) {
        PortAttr port = card.port();
        return card.portNumber() + " of " + card.device().portCount() + ", " + port.state() + ", " + port.linkLayer()
                + ", MTU " + card.mtu() + ", " + orNone(card.sysfs("ports/" + card.portNumber() + "/rate"));
    }

    private static String limits(DeviceAttr device) {
        return "atomics " + device.atomicCap() + ", max_qp " + device.maxQp() + ", max_qp_wr " + device.maxQpWr()
                + ", max_sge " + device.maxSge() + ", max_cqe " + device.maxCqe() + ", max_srq " + device.maxSrq()
                + ", max_mcast_grp " + device.maxMcastGrp() + String.format(", flags 0x%08x", device.deviceCapFlags());
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "(none)" : text;
    }

    private static String distribution() {
        try {
            return Files.readAllLines(Path.of("/etc/os-release")).stream()
                    .filter(line -> line.startsWith("PRETTY_NAME="))
                    .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
                    .findFirst()
                    .orElse("(unknown)");
        } catch (IOException none) {
            return "(unknown)";
        }
    }

    /**
     * The words that a report must not contain, with their replacements: the host name, the addresses, the GIDs and the
     * GUIDs.
     */
    static Map<String, String> secrets(Card card) {
        Map<String, String> words = new LinkedHashMap<>();
        try (DeviceContext context = card.open()) {
            for (GidEntry entry : context.queryGids()) {
                if (!entry.gid().isZero()) {
                    words.putIfAbsent(entry.gid().toString(), "(GID)");
                    words.putIfAbsent(entry.gid().toAddress().getHostAddress(), "(address)");
                }
            }
        } catch (RdmaException e) {
            words.putIfAbsent(card.gid().gid().toString(), "(GID)");
        }
        card.address().ifPresent(address -> words.putIfAbsent(address.getHostAddress(), "(address)"));
        for (long guid :
                new long[] {card.attributes().nodeGuid(), card.attributes().sysImageGuid()}) {
            String hex = String.format(Locale.ROOT, "%016x", guid);
            words.putIfAbsent(hex, "(GUID)");
            words.putIfAbsent(hex.replaceAll("(?<=.)(?=(.{4})+$)", ":"), "(GUID)");
        }
        try {
            words.putIfAbsent(InetAddress.getLocalHost().getHostName(), "(host)");
        } catch (UnknownHostException nameless) {
            // there is no name to hide
        }
        words.keySet().removeAll(Set.of("", "localhost"));
        return words;
    }
}
