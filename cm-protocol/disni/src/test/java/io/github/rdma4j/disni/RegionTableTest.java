// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RegionTableTest {
    private record Fake(int lkey, AtomicBoolean open) implements RegionTable.Region {
        Fake(int lkey) {
            this(lkey, new AtomicBoolean(true));
        }

        @Override
        public boolean isOpen() {
            return open.get();
        }
    }

    private final RegionTable<Fake> table = new RegionTable<>();

    private Fake added(int lkey) {
        Fake region = new Fake(lkey);
        table.add(region);
        return region;
    }

    @Test
    void findsEachOfManyRegions() {
        List<Fake> regions = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            regions.add(added(i << 8 | 0x17));
        }
        assertThat(regions)
                .allSatisfy(region -> assertThat(table.get(region.lkey())).isSameAs(region));
    }

    @Test
    void hasNoRegionOfAnotherKey() {
        added(1);
        assertThat(table.get(2)).isNull();
        assertThat(new RegionTable<Fake>().get(1)).isNull();
    }

    @Test
    void forgetsAClosedRegionAndFindsTheNextOneOfItsKey() {
        Fake first = added(7);
        first.open().set(false);
        assertThat(table.get(7)).isNull();
        Fake second = added(7);
        assertThat(table.get(7)).isSameAs(second);
    }

    /** One region at a time, for ever: the table must not grow with those that are gone, and a search must end. */
    @Test
    void isFullOfOpenRegionsAtMost() {
        Fake lasting = added(-1);
        for (int i = 0; i < 1_000_000; i++) {
            added(i).open().set(false);
        }
        assertThat(table.get(-1)).isSameAs(lasting);
        assertThat(table.length()).isLessThan(1000);
    }
}
