// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.StandardOutput;
import io.github.rdma4j.cli.run.WrongUsage;
import io.github.rdma4j.lab.bench.BenchCommand;
import io.github.rdma4j.lab.cost.CostBench;
import io.github.rdma4j.lab.micro.ProviderBench;
import io.github.rdma4j.lab.providers.verify.VerifyProvider;
import io.github.rdma4j.lab.semantics.SemanticsMain;
import io.github.rdma4j.lab.soak.SoakMain;
import io.github.rdma4j.lab.stress.api.ApiStress;
import io.github.rdma4j.lab.trace.TraceMain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * The main program of the laboratory: the first words of the command line name the instrument, which gets the other
 * words.
 */
public final class LabMain {
    private static final int FAILURE = 1;
    private static final int WRONG_USAGE = 2;

    private LabMain() {}

    /** An instrument. */
    @FunctionalInterface
    private interface Instrument {
        void run(String... arguments) throws Exception;
    }

    /** By their words. If two instruments match, the first applies. */
    private static Map<List<String>, Instrument> instruments() {
        Map<List<String>, Instrument> instruments = new LinkedHashMap<>();
        instruments.put(List.of("bench", "micro"), org.openjdk.jmh.Main::main);
        ProviderBench.names()
                .forEach(name ->
                        instruments.put(List.of("bench", name), arguments -> ProviderBench.of(name, arguments)));
        instruments.put(List.of("bench", "cost"), CostBench::main);
        instruments.put(List.of("bench"), arguments -> System.exit(bench(arguments)));
        instruments.put(List.of("verify", "provider"), VerifyProvider::main);
        instruments.put(List.of("stress", "api"), ApiStress::main);
        instruments.put(List.of("stress"), org.openjdk.jcstress.Main::main);
        instruments.put(List.of("soak"), SoakMain::main);
        instruments.put(List.of("semantics"), SemanticsMain::main);
        instruments.put(List.of("trace"), TraceMain::main);
        return instruments;
    }

    /** Runs the instrument that {@code arguments} name. */
    public static void main(String[] arguments) throws Exception {
        for (Map.Entry<List<String>, Instrument> each : instruments().entrySet()) {
            List<String> words = each.getKey();
            if (arguments.length >= words.size()
                    && Arrays.asList(arguments).subList(0, words.size()).equals(words)) {
                each.getValue().run(Arrays.copyOfRange(arguments, words.size(), arguments.length));
                return;
            }
        }
        List<String> known = new ArrayList<>();
        instruments().keySet().forEach(words -> known.add(String.join(" ", words)));
        System.err.println("rdma4j: the laboratory has these commands: " + String.join(", ", known));
        System.exit(WRONG_USAGE);
    }

    private static int bench(String... arguments) {
        CommandLine line = new CommandLine(new BenchCommand());
        line.setOut(new StandardOutput(System.out));
        line.setParameterExceptionHandler(new WrongUsage());
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            command.getErr().println("rdma4j: " + Failures.text(e));
            return FAILURE;
        });
        return line.execute(arguments);
    }
}
