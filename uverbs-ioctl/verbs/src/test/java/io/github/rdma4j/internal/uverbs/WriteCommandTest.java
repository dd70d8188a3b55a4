// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriteCommandTest {
    private static final String PREFIX = "IB_USER_VERBS_CMD_";

    /** Words of 32 bits are what the header counts in. */
    private static final int WORD = 4;

    @Test
    void hasTheNumberAndTheNameOfTheHeader() throws ReflectiveOperationException {
        for (Map.Entry<String, WriteCommand<?>> constant : commands().entrySet()) {
            WriteCommand<?> command = constant.getValue();
            assertThat(command.name()).isEqualTo(PREFIX + constant.getKey());
            assertThat(command.number())
                    .isEqualTo(WriteCommands.class.getField(command.name()).getInt(null));
        }
    }

    @Test
    void hasSizesThatTheHeaderCanSay() throws IllegalAccessException {
        for (WriteCommand<?> command : commands().values()) {
            assertThat(command.requestBytes()).as(command.name()).isPositive();
            assertThat(command.requestBytes() % WORD).as(command.name()).isZero();
            assertThat(command.replyBytes() % WORD).as(command.name()).isZero();
        }
    }

    private static Map<String, WriteCommand<?>> commands() throws IllegalAccessException {
        Map<String, WriteCommand<?>> commands = new HashMap<>();
        for (Field field : WriteCommand.class.getFields()) {
            if (field.get(null) instanceof WriteCommand<?> command) {
                commands.put(field.getName(), command);
            }
        }
        assertThat(commands).hasSizeGreaterThan(10);
        return commands;
    }
}
