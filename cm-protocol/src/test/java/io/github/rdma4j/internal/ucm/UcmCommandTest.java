// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UcmCommandTest {
    private static final String PREFIX = "RDMA_USER_CM_CMD_";

    @Test
    void hasTheNumberAndTheNameOfTheHeader() throws IllegalAccessException {
        for (Map.Entry<String, UcmCommand<?>> constant : commands().entrySet()) {
            UcmCommand<?> command = constant.getValue();
            assertThat(numbers()).containsEntry(command.name(), command.number());
            assertThat(PREFIX + constant.getKey()).startsWith(command.name());
        }
    }

    @Test
    void isThereForEachCommandButTheLegacyOnes() throws IllegalAccessException {
        TreeSet<String> missing = new TreeSet<>(numbers().keySet());
        commands().values().forEach(command -> missing.remove(command.name()));
        assertThat(missing)
                .containsExactly(
                        PREFIX + "BIND_IP",
                        PREFIX + "GET_OPTION",
                        PREFIX + "JOIN_IP_MCAST",
                        PREFIX + "QUERY_ROUTE",
                        PREFIX + "RESOLVE_IP");
    }

    @Test
    void fitsTheSizesOfTheHeader() throws IllegalAccessException {
        for (UcmCommand<?> command : commands().values()) {
            assertThat(command.requestBytes()).as(command.name()).isBetween(1, 0xffff);
            assertThat(command.replyBytes()).as(command.name()).isBetween(0, 0xffff);
        }
    }

    private static Map<String, UcmCommand<?>> commands() throws IllegalAccessException {
        Map<String, UcmCommand<?>> commands = new HashMap<>();
        for (Field field : UcmCommand.class.getFields()) {
            if (field.get(null) instanceof UcmCommand<?> command) {
                commands.put(field.getName(), command);
            }
        }
        return commands;
    }

    private static Map<String, Integer> numbers() throws IllegalAccessException {
        Map<String, Integer> numbers = new HashMap<>();
        for (Field field : Stream.of(CmCommands.class, LaterCommands.class)
                .flatMap(type -> Stream.of(type.getFields()))
                .filter(field -> field.getName().startsWith(PREFIX))
                .toList()) {
            numbers.put(field.getName(), field.getInt(null));
        }
        return numbers;
    }
}
