// Plans through a cloud of points as one does with libraries: octomap holds the map, dynamicEDT3D the distances, OMPL's
// RRTConnect finds a path and its simplifier shortens it.
//
//   ompl_plan CLOUD PLACES PATH CLEARANCE CELL VIEWED
//
// CLOUD is floats, x y z, one point after the other; PLACES is text, one place a line, visited in this order; PATH is where the
// newest path goes, one corner a line. VIEWED is 1 when unknown space is closed and rays from the origin tell what is free.
// Talks as pace.h says: `ready`, then for each `run COUNT ...` the nanoseconds of COUNT plans, map included.
#include <dynamicEDT3D/dynamicEDTOctomap.h>
#include <octomap/octomap.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cmath>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;

struct Place {
    double x, y, z;
};

static std::vector<Place> plan(const octomap::Pointcloud& cloud, const std::vector<Place>& places, double clearance,
                               double cell, bool viewed) {
    octomap::point3d low(1e9f, 1e9f, 1e9f), high(-1e9f, -1e9f, -1e9f);
    cloud.calcBBX(low, high);
    octomap::OcTree tree(cell);
    if (viewed) {
        tree.insertPointCloud(cloud, octomap::point3d(0, 0, 0), -1, true, true);
    } else {
        for (const auto& point : cloud) tree.updateNode(point, true, true);
    }
    tree.updateInnerOccupancy();
    const auto reach = static_cast<float>(2 * clearance);
    DynamicEDTOctomap distances(reach, &tree, low, high, viewed);
    distances.update();

    auto space = std::make_shared<ob::RealVectorStateSpace>(3);
    ob::RealVectorBounds bounds(3);
    for (unsigned axis = 0; axis < 3; ++axis) {
        bounds.setLow(axis, low(axis));
        bounds.setHigh(axis, high(axis));
    }
    space->setBounds(bounds);
    std::vector<Place> path;
    for (size_t leg = 1; leg < places.size(); ++leg) {
        og::SimpleSetup setup(space);
        setup.setStateValidityChecker([&](const ob::State* state) {
            const auto* at = state->as<ob::RealVectorStateSpace::StateType>();
            const float distance = distances.getDistance(octomap::point3d(
                static_cast<float>((*at)[0]), static_cast<float>((*at)[1]), static_cast<float>((*at)[2])));
            return distance < 0 ? !viewed : distance >= clearance;
        });
        setup.getSpaceInformation()->setStateValidityCheckingResolution(0.5 * cell / space->getMaximumExtent());
        ob::ScopedState<> start(space), goal(space);
        const Place &from = places[leg - 1], &to = places[leg];
        start[0] = from.x, start[1] = from.y, start[2] = from.z;
        goal[0] = to.x, goal[1] = to.y, goal[2] = to.z;
        setup.setStartAndGoalStates(start, goal);
        setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));
        if (setup.solve(10.0) != ob::PlannerStatus::EXACT_SOLUTION) {
            std::fprintf(stderr, "no path for leg %zu\n", leg);
            std::exit(1);
        }
        setup.simplifySolution();
        const auto& found = setup.getSolutionPath();
        for (size_t index = leg == 1 ? 0 : 1; index < found.getStateCount(); ++index) {
            const auto* at = found.getState(index)->as<ob::RealVectorStateSpace::StateType>();
            path.push_back({(*at)[0], (*at)[1], (*at)[2]});
        }
    }
    return path;
}

int main(int count, char** words) {
    if (count != 7) return 2;
    ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
    octomap::Pointcloud cloud;
    std::ifstream points(words[1], std::ios::binary);
    for (float at[3]; points.read(reinterpret_cast<char*>(at), sizeof at);) cloud.push_back(at[0], at[1], at[2]);
    std::vector<Place> places;
    std::ifstream file(words[2]);
    for (Place place{}; file >> place.x >> place.y >> place.z;) places.push_back(place);
    const double clearance = std::atof(words[4]), cell = std::atof(words[5]);
    std::cout << "ready" << std::endl;
    std::string line;
    unsigned seed = 1;
    while (std::getline(std::cin, line)) {
        long runs = 0;
        if (std::sscanf(line.c_str(), "run %ld", &runs) != 1) return 2;
        std::string took = "took";
        for (long run = 0; run < runs; ++run) {
            ompl::RNG::setSeed(seed++);
            const auto begin = std::chrono::steady_clock::now();
            const auto path = plan(cloud, places, clearance, cell, words[6][0] == '1');
            const auto end = std::chrono::steady_clock::now();
            took += " " + std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count());
            std::ofstream out(words[3]);
            out.precision(17);
            for (const auto& corner : path) out << corner.x << ' ' << corner.y << ' ' << corner.z << '\n';
        }
        std::cout << took << std::endl;
    }
    return 0;
}
