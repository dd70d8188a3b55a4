// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.abi;

import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks a C compiler for the values of constant expressions: one program, with a source file for every set of headers,
 * since not all headers can be included together.
 */
final class CProbe {
    private static final String PACKAGES = "linux-libc-dev, libibverbs-dev and librdmacm-dev";

    private final Path directory;

    CProbe(Path directory) {
        this.directory = directory;
    }

    /** The value of every member as C has it. Throws {@link AssertionError} if there is no compiler or header. */
    Map<AbiMember, Long> values(List<AbiMember> members) {
        List<String> sources = new ArrayList<>(List.of("main.c"));
        List<List<AbiMember>> units = units(members);
        for (int unit = 0; unit < units.size(); unit++) {
            write("unit" + unit + ".c", unitSource(unit, units.get(unit), members));
            sources.add("unit" + unit + ".c");
        }
        write("main.c", mainSource(units.size()));
        run("cc -std=gnu11 -Wall -Werror -o probe " + String.join(" ", sources));
        return parse(run("./probe"), members);
    }

    private static List<List<AbiMember>> units(List<AbiMember> members) {
        Map<List<String>, List<AbiMember>> units = new LinkedHashMap<>();
        for (AbiMember member : members) {
            units.computeIfAbsent(member.headers(), headers -> new ArrayList<>())
                    .add(member);
        }
        return List.copyOf(units.values());
    }

    /** A table of line numbers and values; static initializers, so only what the compiler can compute is accepted. */
    private static String unitSource(int unit, List<AbiMember> members, List<AbiMember> all) {
        StringBuilder source = new StringBuilder("#include <stddef.h>\n");
        for (String header : members.get(0).headers()) {
            source.append("#include <").append(header).append(">\n");
        }
        source.append("#include \"probe.h\"\n");
        source.append("const struct probe unit").append(unit).append("[] = {\n");
        for (AbiMember member : members) {
            String type = member.field().getDeclaringClass().getName();
            source.append("    {\"%s,%s\", %d, (long long) (%s)},%n"
                    .formatted(type, member.field().getName(), all.indexOf(member), member.expression()));
        }
        return source.append("    {0, 0, 0},\n};\n").toString();
    }

    private String mainSource(int units) {
        write("probe.h", "struct probe { const char *name; int index; long long value; };\n");
        StringBuilder source = new StringBuilder("#include <stdio.h>\n#include \"probe.h\"\n");
        for (int unit = 0; unit < units; unit++) {
            source.append("extern const struct probe unit").append(unit).append("[];\n");
        }
        source.append("static void print(const struct probe *line) {\n");
        source.append("    for (; line->name; line++)\n");
        source.append("        printf(\"%d,%s,%lld\\n\", line->index, line->name, line->value);\n}\n");
        source.append("int main(void) {\n");
        for (int unit = 0; unit < units; unit++) {
            source.append("    print(unit").append(unit).append(");\n");
        }
        return source.append("    return 0;\n}\n").toString();
    }

    /** Reads lines {@code index,type,field,value}. */
    private static Map<AbiMember, Long> parse(String output, List<AbiMember> members) {
        Map<AbiMember, Long> values = new HashMap<>();
        for (String line : output.lines().toList()) {
            String[] columns = line.split(",", -1);
            values.put(members.get(Integer.parseInt(columns[0])), Long.valueOf(columns[columns.length - 1]));
        }
        return values;
    }

    private void write(String file, String text) {
        try {
            Files.writeString(directory.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String run(String command) {
        try (Program program = Program.start("sh", "-c", "cd " + directory + " && " + command)) {
            if (program.status() != 0) {
                throw new AssertionError("the kernel ABI is checked by a C compiler against the headers of " + PACKAGES
                        + ": " + program);
            }
            return program.output();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
