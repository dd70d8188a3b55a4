// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds every offset, size and constant of the types that are annotated with {@link KernelStruct} or {@link
 * KernelConstants} against the C headers installed here. No number is written down twice: a generated C program prints
 * what the compiler says.
 */
class KernelAbiTest {
    private static final String PACKAGE = "io.github.rdma4j.";

    @TempDir
    Path directory;

    @TestFactory
    Stream<DynamicTest> equalsTheHeaders() {
        List<Class<?>> types = AbiTypes.annotated();
        List<AbiMember> members =
                types.stream().flatMap(type -> AbiMember.of(type).stream()).toList();
        Map<AbiMember, Long> values = new CProbe(directory).values(members);
        return types.stream()
                .map(type -> DynamicTest.dynamicTest(
                        type.getName().substring(PACKAGE.length()), () -> compare(type, AbiMember.of(type), values)));
    }

    private static void compare(Class<?> type, List<AbiMember> members, Map<AbiMember, Long> values) {
        assertThat(members).as("constants of %s", type).isNotEmpty();
        assertThat(values).containsKeys(members.toArray(AbiMember[]::new));
        Map<String, Long> java = new TreeMap<>();
        Map<String, Long> c = new TreeMap<>();
        for (AbiMember member : members) {
            String name = member.field().getName() + " = " + member.expression();
            java.put(name, member.javaValue());
            c.put(name, member.toJava(values.get(member)));
        }
        assertThat(java).as("%s against the C headers", type).containsExactlyEntriesOf(c);
    }

    @Test
    void seesThePackagesThatMirrorTheKernel() {
        assertThat(AbiTypes.annotated())
                .extracting(Class::getPackageName)
                .contains(
                        PACKAGE + "internal.uverbs",
                        PACKAGE + "internal.rxe",
                        PACKAGE + "internal.connectx",
                        PACKAGE + "internal.mlx4",
                        PACKAGE + "internal.mlx5",
                        PACKAGE + "internal.erdma",
                        PACKAGE + "internal.irdma",
                        PACKAGE + "internal.bnxt",
                        PACKAGE + "internal.pvrdma",
                        PACKAGE + "internal.siw",
                        PACKAGE + "internal.ucm",
                        PACKAGE + "internal.umad");
    }

    /** The types name what mlx5dv.h has. */
    @Test
    void findsConnectxInTheHeaderOfTheOlderGeneration() {
        List<Class<?>> types = AbiTypes.annotated().stream()
                .filter(type -> type.getPackageName().equals(PACKAGE + "internal.connectx"))
                .toList();
        List<AbiMember> members = types.stream()
                .flatMap(type -> AbiMember.of(type).stream())
                .map(KernelAbiTest::ofMlx4)
                .toList();
        new CProbe(directory)
                .values(members)
                .forEach((member, value) ->
                        assertThat(member.toJava(value)).as(member.expression()).isEqualTo(member.javaValue()));
    }

    private static AbiMember ofMlx4(AbiMember member) {
        String expression = member.expression().replace("mlx5", "mlx4").replace("MLX5", "MLX4");
        return new AbiMember(member.field(), List.of("infiniband/mlx4dv.h"), expression);
    }

    @Test
    void findsNoLayoutWithoutItsStruct() {
        assertThat(AbiTypes.strayLayouts()).isEmpty();
    }

    @Test
    void seesAWrongNumber() {
        AbiMember wrong = pathMax("linux/limits.h");
        Map<AbiMember, Long> values = new CProbe(directory).values(List.of(wrong));
        assertThatThrownBy(() -> compare(Fixture.class, List.of(wrong), values))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("4096");
    }

    @Test
    void failsWithoutTheHeader() {
        List<AbiMember> members = List.of(pathMax("no/such/header.h"));
        assertThatThrownBy(() -> new CProbe(directory).values(members))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no/such/header.h");
    }

    @Test
    void refusesAFieldThatItCannotCheck() {
        assertThatThrownBy(() -> AbiMember.fields(Fixture.class).toList())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("NOT_A_NUMBER");
    }

    @Test
    void seesAWrongCodeOfAnEnum() {
        List<String> headers = List.of("linux/limits.h");
        List<AbiMember> members = AbiMember.ofConstants(
                        AbiMember.enumConstants(Mistaken.class, headers), headers, "PATH_")
                .toList();
        assertThat(members)
                .extracting(AbiMember::expression)
                .as("UNKNOWN mirrors nothing, and what the installed headers lack cannot be checked")
                .containsExactly("PATH_MAX");
        Map<AbiMember, Long> values = new CProbe(directory).values(members);
        assertThatThrownBy(() -> compare(Mistaken.class, members, values))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("4096");
    }

    private static AbiMember pathMax(String header) {
        try {
            return new AbiMember(Fixture.class.getDeclaredField("PATH_MAX"), List.of(header), "PATH_MAX");
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    /** Without an annotation, as the next. */
    enum Mistaken {
        MAX(4095), // one less than in linux/limits.h
        @CName(value = "PATH_FROM_THE_FUTURE", since = "99.0")
        FROM_THE_FUTURE(1),
        UNKNOWN(-1);

        private final int code;

        Mistaken(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /** Without an annotation, for the scan finds test classes, too. */
    static final class Fixture {
        static final int PATH_MAX = 4095; // one less than in linux/limits.h
        static final String NOT_A_NUMBER = "4096";

        private Fixture() {}
    }
}
