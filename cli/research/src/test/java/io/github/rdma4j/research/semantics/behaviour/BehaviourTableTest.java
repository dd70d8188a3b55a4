// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.research.semantics.Tables;
import io.github.rdma4j.research.semantics.behaviour.Behaviour.Schedule;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BehaviourTableTest {
    private final BehaviourTable table = new BehaviourTable(Tables.committed().bySeries());
    private final BehaviourTable roce =
            new BehaviourTable(Tables.committed().onRoce().bySeries());

    private static List<String> numbered(String list, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> list + i).toList();
    }

    @Test
    void hasEveryNumberOfBothLists() {
        assertThat(Behaviours.all())
                .extracting(Behaviour::key)
                .containsAll(numbered("C", Behaviours.CASES))
                .containsAll(numbered("S", Behaviours.SURPRISES));
    }

    @Test
    void hasNoEmptyCell() {
        assertThat(Behaviours.all())
                .allSatisfy(behaviour -> assertThat(table.cells(behaviour))
                        .hasSize(5)
                        .allSatisfy(cell -> assertThat(cell).isNotBlank()));
    }

    @Test
    void explainsEveryContradiction() {
        assertThat(roce.contradicted())
                .allSatisfy(behaviour ->
                        assertThat(behaviour.remark()).as(behaviour.toString()).isNotBlank());
    }

    @Test
    void refersToScriptsThatThereAre() {
        assertThat(Behaviours.all())
                .filteredOn(behaviour -> behaviour.like() != null)
                .allSatisfy(
                        behaviour -> assertThat(Behaviours.measured(behaviour).experiment())
                                .as(behaviour.toString())
                                .isNotNull());
    }

    @Test
    void listsEveryContradiction() {
        String markdown = roce.contradictions();
        assertThat(roce.contradicted())
                .allSatisfy(behaviour -> assertThat(markdown).contains("- **" + behaviour.key() + "**"));
    }

    @Test
    void escapesCharactersThatEndACell() {
        Behaviour odd = Behaviour.untried(List.of("C1", "a|b", "C_LIBRARY", "c", "d"));
        assertThat(table.row(odd)).startsWith("| C1 | a\\|b | c | ");
    }

    @Test
    void keepsOneFileForTheRemovalOfTheDevice() {
        assertThat(table.of(behaviour -> behaviour.schedule() == Schedule.OWN_GUEST))
                .contains("| F61 |")
                .doesNotContain("| F1 |");
    }

    @Test
    void aPredictionHoldsForLaterKernelsToo() {
        Behaviour said = Behaviour.untried(List.of("C1", "a", "C_LIBRARY", "old<br>since 6.4: new", ""));
        assertThat(Stream.of("6.1", "6.4", "6.12", "7.2").map(said::predictedOn))
                .containsExactly("old", "new", "new", "new");
    }
}
